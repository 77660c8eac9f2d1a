-- Codes that the provider sells: a voucher opens a case (VCH-3), a renewal code leads to the renewal of one certificate (R31).
create table voucher_codes (
  id uuid primary key default gen_random_uuid(),
  provider_id text not null unique,
  -- A keyed hash, by which a typed code is found; and the code itself, sealed, for the provider and for whoever has used it.
  code_mac bytea not null unique,
  code bytea not null,
  kind text not null check (kind in ('voucher', 'renewal')),
  process text check (process in ('cloud-certificate', 'card-certificate', 'cloud-seal', 'card-seal')),
  -- Who may use it; null is anybody. Of a renewal code it is the owner of the certificate.
  account_id uuid references accounts on delete cascade,
  signature_id uuid references signatures on delete cascade,
  expires_at timestamptz not null,
  created_at timestamptz not null default portal_now(),
  used_at timestamptz,
  check ((kind = 'voucher') = (process is not null)),
  check ((kind = 'renewal') = (signature_id is not null)),
  check (kind = 'voucher' or account_id is not null)
);
create index voucher_codes_by_owner on voucher_codes (account_id);
create index voucher_codes_by_signature on voucher_codes (signature_id);

-- One for each voucher that was redeemed, and never two (VCH-3, R30).
create table voucher_cases (
  id uuid primary key default gen_random_uuid(),
  -- What people call it by.
  number text not null unique,
  code_id uuid not null unique references voucher_codes,
  account_id uuid not null references accounts on delete cascade,
  status text not null default 'in-progress' check (status in ('in-progress', 'finished-successfully', 'finished-unsuccessfully')),
  -- The provider's own word for it, and whether contract/case-status.ts knows it (VCH-4).
  provider_status text,
  status_known boolean not null default true,
  note jsonb,
  -- When it was so at the provider: what comes late changes nothing (R55).
  reported_at timestamptz,
  created_at timestamptz not null default portal_now(),
  updated_at timestamptz not null default portal_now()
);
create index voucher_cases_by_owner on voucher_cases (account_id, created_at desc, id desc);
create index voucher_cases_by_status on voucher_cases (status, id);
create index voucher_cases_of_unknown_status on voucher_cases (id) where not status_known;
