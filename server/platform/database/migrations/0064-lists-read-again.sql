-- R192: the stored lists are read again from their next fetch on, also where they have not changed, for what their rules leave open.
update trusted_lists set file_digest = '';
