-- A signature that the customer has confirmed with the portal's code, and that the signing service wants authorised by the customer
-- too: by its own codes, or at its own page (SGN-10 … SGN-15). It belongs to one session and one object, and ends soon.
create table service_authorisations (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts on delete cascade,
  session_id uuid not null,
  case_id uuid references document_cases on delete cascade,
  renewal_id uuid references renewals on delete cascade,
  signature_id uuid not null references signatures on delete cascade,
  kind text not null check (kind in ('codes', 'redirect')),
  otp text not null check (otp in ('none', 'sent', 'generated')),
  pin boolean not null,
  -- SHA-256 of everything that the portal's code was for (R33).
  binding text not null,
  -- Of the signed attributes, in hexadecimal: what the service signs.
  hash text not null,
  -- The time that the signature claims, a part of what it covers.
  claimed_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  -- A request is at the service until then; another one has to wait.
  busy_until timestamptz,
  tries int not null default 0,
  otp_sends int not null default 0,
  otp_sent_at timestamptz,
  -- Of the parameter `state` of the service's page; used once.
  state_hash bytea unique,
  state_used boolean not null default false,
  -- Of the page to which the customer comes back.
  locale text check (locale in ('pl', 'en')),
  check (num_nonnulls(case_id, renewal_id) = 1)
);
create index service_authorisations_by_account on service_authorisations (account_id);
create index service_authorisations_by_case on service_authorisations (case_id);
create index service_authorisations_by_renewal on service_authorisations (renewal_id);
-- One is open at a time.
create unique index service_authorisations_open_case on service_authorisations (case_id) where ended_at is null;
create unique index service_authorisations_open_renewal on service_authorisations (renewal_id) where ended_at is null;
create index service_authorisations_by_signature on service_authorisations (signature_id);
