-- Of a session: from where it was begun, and when its customer last did something in it (AUT-9). Browser and system are words of ours.
alter table sessions
  add column used_at timestamptz not null default portal_now(),
  add column address text,
  add column browser text,
  add column system text,
  -- Looked up when its customer first looks at the list.
  add column country text;

-- Keys on the customer's devices that stand in for the SMS code (AUT-8).
create table passkeys (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  -- Sealed: the customer's own words for the device.
  name bytea not null,
  -- What the device calls it and the key that its signatures are checked with: neither opens anything.
  credential_id bytea not null unique,
  public_key bytea not null,
  -- Of the device's signatures, as the last one told it; 0 where the device does not count (WebAuthn §6.1.1).
  counter bigint not null,
  transports text[] not null,
  added_at timestamptz not null default portal_now(),
  used_at timestamptz
);
create index passkeys_by_account on passkeys (account_id, added_at, id);

-- What a device is asked to sign: one a session, purpose and object, and once (R2, R22).
create table passkey_challenges (
  session_id uuid not null references sessions (id) on delete cascade,
  purpose text not null,
  object uuid not null,
  challenge bytea not null,
  expires_at timestamptz not null,
  primary key (session_id, purpose, object)
);
