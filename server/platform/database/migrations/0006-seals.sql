-- Seals of organisations, and their users.

create table seals (
  id uuid primary key default gen_random_uuid(),
  provider_id text not null unique,
  product text not null check (product in ('app', 'card', 'psd2-card', 'file')),
  -- Read from the certificate, which is a legal person's: it identifies no person, so it is not encrypted.
  name text not null,
  organisation text not null,
  organisation_identifier text not null,
  period text not null check (period in ('1_day', '30_days', '1_year', '2_year', '3_year')),
  valid_from timestamptz not null,
  valid_to timestamptz not null,
  -- The provider's word; time does the rest.
  status text not null check (status in ('good', 'suspended', 'revoked')),
  certificate bytea not null,
  chain bytea[] not null,
  -- Keyed hashes: of issuer and serial number, because one certificate is filed under one id (PRV-1), and of the serial number, by which the
  -- desk finds it (DSK-8).
  certificate_index bytea not null,
  serial_index bytea not null,
  agreement_language text not null check (agreement_language in ('pl', 'en')),
  agreement_key text,
  agreement_bytes int,
  agreement_sha256 text,
  -- The number of the user who was added last.
  last_number int not null default 0,
  created_at timestamptz not null default portal_now(),
  -- Read from the certificate (SEA-8): the roles of a payment service provider and its competent authority.
  psd2 jsonb,
  own_suspension boolean not null default false,
  check (product <> 'psd2-card' or psd2 is not null)
);
create unique index seals_by_certificate on seals (certificate_index);
create index seals_by_status on seals (status, id);
-- Every node looks for ends that come near, every ten minutes.
create index seals_by_end on seals (valid_to);
create index seals_by_serial on seals (serial_index);
create trigger seal_moves before update of status on seals for each row execute function refuse_certificate_move();

create table seal_users (
  id uuid primary key default gen_random_uuid(),
  seal_id uuid not null references seals on delete cascade,
  -- The provider's own id; the row's, where an Administrator has added the user.
  provider_id text not null,
  number int not null,
  -- The account of the user, from the activation on; until then the owner of the e-mail address may activate it.
  account_id uuid references accounts on delete set null,
  email text not null,
  email_key text not null,
  -- Encrypted: the number that was invited, to which the code of the activation goes (R41).
  phone bytea not null,
  first_name text not null,
  surname text not null,
  role text not null check (role in ('admin', 'user')),
  status text not null check (status in ('pending', 'active', 'deleted')),
  locale text not null check (locale in ('pl', 'en')),
  invited_at timestamptz not null default portal_now(),
  expires_at timestamptz not null,
  acquired_at timestamptz,
  deleted_at timestamptz,
  -- The order of the list: active, pending, removed.
  standing int not null generated always as (case status when 'active' then 0 when 'pending' then 1 else 2 end) stored,
  unique (seal_id, provider_id),
  unique (seal_id, number)
);
create index seal_users_by_standing on seal_users (seal_id, standing, number);
create index seal_users_by_name on seal_users (seal_id, ((surname || ' ' || first_name) collate "pl-x-icu"), number);
-- Nobody has two places in one seal.
create unique index seal_users_by_email on seal_users (seal_id, email_key) where status <> 'deleted';
create index seal_users_waiting on seal_users (email_key) where status = 'pending';
create index seal_users_of_account on seal_users (account_id, seal_id);
create index seal_administrators on seal_users (seal_id, number) where status = 'active' and role = 'admin';

-- SEA-19: a second recipient of the reminders of a seal, who gets nothing else before the address is confirmed by its link (R216).
create table seal_recipients (
  seal_id uuid primary key references seals on delete cascade,
  email text not null,
  email_key text not null,
  locale text not null check (locale in ('pl', 'en')),
  token_hash bytea not null unique,
  added_at timestamptz not null default portal_now(),
  expires_at timestamptz not null,
  confirmed_at timestamptz,
  -- The last reminder: of which end of the certificate, and how many days before.
  reminded_of timestamptz,
  reminded_step int
);
create index seal_recipients_by_email on seal_recipients (email_key);

-- The secret that the app of one user of a seal shares with the portal; a new device replaces it, and it ends with the access.
create table seal_pairings (
  seal_user_id uuid primary key references seal_users on delete cascade,
  secret bytea not null,
  created_at timestamptz not null default portal_now(),
  last_step bigint not null default 0,
  confirmed_at timestamptz,
  content bytea,
  content_mac bytea,
  shown_mac bytea,
  content_expires_at timestamptz,
  request_id uuid,
  requested_at timestamptz,
  request_failure text check (request_failure in ('delayed', 'refused')),
  shown_at timestamptz,
  secret_id uuid not null default gen_random_uuid()
);
create index seal_pairings_expiring on seal_pairings (content_expires_at) where content is not null;

-- What an Administrator was reminded of: once for each end of the seal’s certificate and step (SEA-11).
create table seal_reminders (
  seal_user_id uuid references seal_users on delete cascade,
  -- Days before the end.
  step int,
  valid_to timestamptz,
  at timestamptz not null default portal_now(),
  primary key (seal_user_id, step, valid_to)
);
