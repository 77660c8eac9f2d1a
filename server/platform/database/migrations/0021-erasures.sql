-- R87: accounts whose data was erased. What is evidence is held by the account, which has no name any more, until its time is over.
create table erasures (
  account_id uuid primary key references accounts on delete cascade,
  at timestamptz not null default portal_now()
);
create index erasures_by_age on erasures (at);

-- Files whose rows are gone. The row comes with the end of what named the file and goes after it, so that no crash leaves one behind.
create table discarded_files (file text primary key);

-- The portal can only add to the consents (REG-5). Of an erased account those to marketing go, and of no other.
create function forget_marketing(erased uuid) returns void language sql security definer set search_path = pg_catalog, public as $$
  delete from consents where account_id = erased and kind = 'marketing' and exists (select from erasures where account_id = erased)
$$;
