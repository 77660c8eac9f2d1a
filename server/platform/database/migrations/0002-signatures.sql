create table signatures (
  id uuid primary key default gen_random_uuid(),
  provider_id text not null unique,
  account_id uuid not null references accounts on delete cascade,
  product text not null check (product in ('app', 'card', 'file')),
  -- Read from the certificate.
  name text not null,
  organisation text,
  identifier_type text not null check (identifier_type in ('PNO', 'TIN', 'PAS', 'IDC', 'ECN')),
  identifier_country text,
  identifier_value text not null,
  years int not null,
  valid_from timestamptz not null,
  valid_to timestamptz not null,
  -- The provider's word; time does the rest.
  status text not null check (status in ('good', 'suspended', 'revoked')),
  certificate bytea not null,
  chain bytea[] not null,
  agreement_language text not null check (agreement_language in ('pl', 'en')),
  agreement_key text,
  agreement_bytes int,
  agreement_sha256 text,
  created_at timestamptz not null default portal_now()
);
create index signatures_by_owner on signatures (account_id, valid_to, id);

-- The secret that a signing app shares with the portal; a new device replaces it (SIG-3).
create table pairings (
  signature_id uuid primary key references signatures on delete cascade,
  secret bytea not null,
  created_at timestamptz not null default portal_now(),
  -- The newest time step whose code was taken, so that each counts once (RFC 6238 §5.2).
  last_step bigint not null default 0,
  confirmed_at timestamptz
);

create table software (
  provider_id text primary key,
  platform text not null,
  name text not null,
  purpose jsonb not null,
  requirements jsonb not null,
  version text not null,
  released_at timestamptz not null,
  bytes bigint,
  sha256 text,
  url text not null
);
create index software_by_platform on software (platform, released_at desc);
