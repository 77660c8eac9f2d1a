-- CAL: the private address by which programs read a customer’s expiry dates; only a hash of its token (R210).
create table calendar_addresses (
  account_id uuid primary key references accounts on delete cascade,
  token_hash bytea not null unique,
  made_at timestamptz not null default portal_now()
);
