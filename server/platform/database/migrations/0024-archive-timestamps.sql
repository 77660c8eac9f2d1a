-- R106: signed agreements get another archive timestamp before the one that they have weakens.
alter table renewals
  -- When the certificate of the newest archive timestamp ends; null while there is none, which is due at once.
  add column archive_renew_by timestamptz,
  add column archive_stamped_at timestamptz,
  -- Nobody tries before: the lease of whoever does it now, and the pause after a try that failed.
  add column archive_next_try timestamptz,
  add column archive_tries int not null default 0,
  -- The name under which the next version is being stored, so that what a crash leaves is found.
  add column archive_draft text;
create index renewals_archive_due on renewals (coalesce(archive_renew_by, '-infinity')) where signed_key is not null;
create index renewals_archive_stamped on renewals (archive_stamped_at) where signed_key is not null;
