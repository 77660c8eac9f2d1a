-- Timestamp accounts and their packages.

-- Timestamp accounts as the provider has stated them (TSP-1). Their passwords are the timestamp server's alone.
create table timestamp_accounts (
  id uuid primary key default gen_random_uuid(),
  provider_id text not null unique,
  account_id uuid not null references accounts on delete cascade,
  login text not null,
  authentication text not null check (authentication in ('basic', 'cms')),
  server_url text not null,
  active boolean not null,
  created_at timestamptz not null default portal_now()
);
create index timestamp_accounts_by_owner on timestamp_accounts (account_id, active desc, login, id);
create index timestamp_accounts_by_customer on timestamp_accounts (account_id, id);
create index timestamp_accounts_by_status on timestamp_accounts (active, id);

create table timestamp_packages (
  id uuid primary key default gen_random_uuid(),
  provider_id text not null unique,
  timestamp_account_id uuid not null references timestamp_accounts on delete cascade,
  kind text not null check (kind in ('recurring', 'one-time', 'unlimited')),
  -- The provider's word; time and spending do the rest.
  active boolean not null,
  size int,
  refill_day int,
  starts_at timestamptz not null,
  ends_at timestamptz,
  -- Of a recurring one what was spent since `counted_from`; an older count is void with the refill.
  spent int not null,
  counted_from timestamptz,
  created_at timestamptz not null default portal_now()
);
create index timestamp_packages_by_account on timestamp_packages (timestamp_account_id, starts_at desc, id desc);
-- For the notices before the end.
create index timestamp_packages_by_end on timestamp_packages (ends_at) where active;

-- One row an account and day, however many timestamps: a page of the history costs the same after a million of them.
create table timestamp_usage (
  timestamp_account_id uuid references timestamp_accounts on delete cascade,
  day date,
  spent int not null,
  primary key (timestamp_account_id, day)
);

-- Notices of a package that its owner was sent, once for each count (low, empty) or end (days before it).
create table timestamp_notices (
  package_id uuid references timestamp_packages on delete cascade,
  notice text,
  -- The count's beginning or the package's end.
  about timestamptz,
  at timestamptz not null default portal_now(),
  primary key (package_id, notice, about)
);
