-- Devices from which an account was signed in, by the SHA-256 of the token in their cookie (R5, R17).
create table devices (
  token_hash bytea primary key,
  account_id uuid not null references accounts on delete cascade,
  expires_at timestamptz not null
);
create index devices_by_account on devices (account_id);
create index devices_by_expiry on devices (expires_at);
