create table seals (
  id uuid primary key default gen_random_uuid(),
  provider_id text not null unique,
  product text not null check (product in ('app', 'card')),
  -- Read from the certificate, which is a legal person's: nothing in it says who anybody is, so it rests in clear.
  name text not null,
  organisation text not null,
  organisation_identifier text not null,
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
  -- The number of the user who was added last.
  last_number int not null default 0,
  created_at timestamptz not null default portal_now()
);

create table seal_users (
  id uuid primary key default gen_random_uuid(),
  seal_id uuid not null references seals on delete cascade,
  -- The provider's own id; the row's, where an Administrator has added the user.
  provider_id text not null,
  number int not null,
  -- Whose access it is, from the activation on; until then whoever has the e-mail may activate it.
  account_id uuid references accounts on delete set null,
  email text not null,
  email_key text not null,
  -- Sealed: the number that was invited, to which the code of the activation goes (R41).
  phone bytea not null,
  first_name text not null,
  surname text not null,
  role text not null check (role in ('administrator', 'user')),
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
create index seal_users_by_account on seal_users (account_id, seal_id) where status = 'active';
create index seal_users_waiting on seal_users (email_key) where status = 'pending';
create index seal_administrators on seal_users (seal_id, number) where status = 'active' and role = 'administrator';

-- The secret that the app of one user of a seal shares with the portal; a new device replaces it, and it ends with the access.
create table seal_pairings (
  seal_user_id uuid primary key references seal_users on delete cascade,
  secret bytea not null,
  created_at timestamptz not null default portal_now(),
  last_step bigint not null default 0,
  confirmed_at timestamptz
);

alter table outbox
  drop constraint outbox_channel_check,
  add constraint outbox_channel_check check (channel in ('mail', 'sms', 'password-link', 'registration', 'seal-invitation')) not valid;

-- What was sent for an access that is removed dies with it (R40).
create index codes_of_activations on codes (object) where purpose = 'activate-seal';
