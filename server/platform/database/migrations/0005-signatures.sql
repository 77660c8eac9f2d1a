-- Certificates of persons, and the programs to use them with.

-- PRV-1: a revocation is final, even for the provider. The table is certificateMoves of contract/signatures-and-seals.ts, and a test
-- compares them.
create function refuse_certificate_move() returns trigger language plpgsql as $$
begin
  if new.status = old.status or (old.status, new.status) in (
    ('good', 'suspended'), ('good', 'revoked'), ('suspended', 'good'), ('suspended', 'revoked')
  ) then
    return new;
  end if;
  raise exception 'a certificate cannot go from % to %', old.status, new.status using errcode = 'check_violation';
end $$;

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
  period text not null check (period in ('1_day', '30_days', '1_year', '2_year', '3_year')),
  valid_from timestamptz not null,
  valid_to timestamptz not null,
  -- The provider's word; time does the rest.
  status text not null check (status in ('good', 'suspended', 'revoked')),
  agreement_language text not null check (agreement_language in ('pl', 'en')),
  agreement_key text,
  agreement_bytes int,
  agreement_sha256 text,
  created_at timestamptz not null default portal_now(),
  identifier_value bytea not null,
  -- A keyed hash of the value.
  identifier_index bytea not null,
  -- The certificate and its chain: it contains the number of its holder.
  certificates bytea not null,
  -- Keyed hashes: of issuer and serial number, because one certificate is filed under one id (PRV-1), and of the serial number, by which the
  -- desk finds it (DSK-8).
  certificate_index bytea not null,
  serial_index bytea not null,
  -- SIG-5: when the reminders of a certificate are looked at next, so that a run need not read all that end within sixty days. Null before the
  -- first look, which is sixty days before the end; 'infinity' after the last.
  reminder_at timestamptz,
  -- Whether the suspension was requested by a customer: only then may a customer end it (STP-2).
  own_suspension boolean not null default false
);
create index signatures_by_owner on signatures (account_id, valid_to, id);
-- Every node looks for ends that come near, every ten minutes.
create index signatures_by_end on signatures (valid_to);
-- One certificate is filed under one id.
create unique index signatures_by_certificate on signatures (certificate_index);
create index signatures_by_identifier on signatures (identifier_index, account_id);
-- The provider's lists, by customer and by status.
create index signatures_by_customer on signatures (account_id, id);
create index signatures_by_status on signatures (status, id);
-- An index takes no expression whose value depends on the time zone, hence UTC.
create index signatures_by_reminder on signatures (coalesce(reminder_at, (((valid_to at time zone 'UTC') - interval '60 days') at time zone 'UTC')), id);
create index signatures_by_serial on signatures (serial_index);
create trigger signature_moves before update of status on signatures for each row execute function refuse_certificate_move();

-- The secret that a signing app shares with the portal; a new device replaces it (SIG-3).
create table pairings (
  signature_id uuid primary key references signatures on delete cascade,
  secret bytea not null,
  created_at timestamptz not null default portal_now(),
  -- The newest time step whose code was taken, so that each counts once (RFC 6238 §5.2).
  last_step bigint not null default 0,
  confirmed_at timestamptz,
  -- Encrypted; removed when it is shown, and after its expiry.
  content bytea,
  -- Keyed hashes of the newest content, and of the newest that was shown, which never is again.
  content_mac bytea,
  shown_mac bytea,
  content_expires_at timestamptz,
  -- The request that waits for content.
  request_id uuid,
  requested_at timestamptz,
  request_failure text check (request_failure in ('delayed', 'refused')),
  shown_at timestamptz,
  -- Names the portal's own secret in the calls by which the provider fetches and acknowledges it (APP-4).
  secret_id uuid not null default gen_random_uuid()
);
create index pairings_expiring on pairings (content_expires_at) where content is not null;

-- What an owner was reminded of: once for each certificate and step. A signature whose certificate is replaced has another end.
create table signature_reminders (
  signature_id uuid references signatures on delete cascade,
  -- Days before the end.
  step int,
  valid_to timestamptz,
  at timestamptz not null default portal_now(),
  primary key (signature_id, step, valid_to)
);

-- Programs for download (SOF-1), in the order of their releases.
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
