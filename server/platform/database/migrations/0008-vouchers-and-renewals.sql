-- Codes that the provider sells, the cases that they open, and renewals.

-- Codes that the provider sells: a voucher opens a case (VCH-3), a renewal code leads to the renewal of one certificate (R31).
create table voucher_codes (
  id uuid primary key default gen_random_uuid(),
  provider_id text not null unique,
  -- A keyed hash, by which a typed code is found; and the code itself, encrypted, for the provider and the customer who has used it.
  code_mac bytea not null unique,
  code bytea not null,
  kind text not null check (kind in ('voucher', 'renewal')),
  process text check (process in (
    'cloud-certificate', 'card-certificate', 'file-certificate', 'cloud-seal', 'card-seal', 'psd2-seal', 'file-seal', 'timestamps'
  )),
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
create index voucher_codes_by_time on voucher_codes (created_at desc, provider_id);
create index voucher_codes_by_id on voucher_codes (provider_id collate "C");
create index voucher_codes_used on voucher_codes (created_at desc, provider_id) where used_at is not null;

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
create index voucher_cases_by_customer on voucher_cases (account_id, id);
-- A customer's list begins with what waits (VCH-5).
create index voucher_cases_by_urgency on voucher_cases (account_id, (case status when 'in-progress' then 1 else 0 end) desc, created_at desc, id desc);

-- R56: no other order is possible, for any caller. The table is renewalMoves of contract/renewal.ts, and a test compares them. What was entered in a
-- renewal that has expired during a legal hold is removed once the hold is released (R251): it was not signed.
create function refuse_renewal_move() returns trigger language plpgsql as $$
begin
  if new.state <> old.state and (old.state, new.state) not in (
    ('parameters', 'personal-data'), ('parameters', 'expired'),
    ('personal-data', 'signing'), ('personal-data', 'expired'),
    ('signing', 'personal-data'), ('signing', 'authorised'), ('signing', 'declined'), ('signing', 'expired'),
    ('authorised', 'signed'), ('authorised', 'signing'),
    ('signed', 'issued'), ('signed', 'failed'),
    ('issued', 'finished')
  ) then
    raise exception 'a renewal cannot go from % to %', old.state, new.state using errcode = 'check_violation';
  end if;
  if old.parameters_sha256 is not null and new.parameters_sha256 is distinct from old.parameters_sha256 then
    raise exception 'the parameters of a renewal are fixed' using errcode = 'check_violation';
  end if;
  if old.state not in ('parameters', 'personal-data', 'signing')
    and not (old.state = 'expired' and new.terms_sha256 is null and new.agreement_sha256 is null)
    and (new.terms_sha256, new.agreement_sha256) is distinct from (old.terms_sha256, old.agreement_sha256) then
    raise exception 'what was signed cannot be changed' using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- The renewal of a cloud signature (REN-1 … REN-10). Its id is what the page is called by, so it is random.
create table renewals (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts on delete cascade,
  -- The certificate that is renewed, and the code that pays for it.
  signature_id uuid not null references signatures on delete cascade,
  code_id uuid not null references voucher_codes on delete cascade,
  state text not null default 'parameters' check (state in
    ('parameters', 'personal-data', 'signing', 'authorised', 'signed', 'issued', 'finished', 'declined', 'expired', 'failed')),
  -- Counts the changes, so that a call belongs to what its page showed (R56).
  version int not null default 1,
  -- Encrypted. The hash is set when step 1 is left, and never changes again (R57).
  parameters bytea,
  parameters_sha256 text,
  shortened_to timestamptz,
  -- Encrypted: new details of the identity document, for the provider to look at (REN-6).
  identity bytea,
  identity_state text check (identity_state in ('asked', 'confirmed', 'refused')),
  -- Encrypted: what the agreement and the order are made from, and nothing else (R57).
  terms bytea,
  terms_sha256 text,
  agreement_key text,
  agreement_bytes int,
  agreement_sha256 text,
  signing_failed boolean not null default false,
  signed_key text,
  signed_bytes int,
  signed_sha256 text,
  signed_at timestamptz,
  issued_signature uuid unique references signatures on delete set null,
  note jsonb,
  opened_at timestamptz not null default portal_now(),
  ends_at timestamptz not null,
  updated_at timestamptz not null default portal_now(),
  -- The message that lets the agreement be signed, once the customer signed by code: if it failed permanently, the customer is asked again.
  signing_order uuid,
  -- When the certificate of the newest archive timestamp ends; null while there is none, which is due at once.
  archive_renew_by timestamptz,
  archive_stamped_at timestamptz,
  -- No attempt is made before: the lease of the current attempt, or the pause after one that failed.
  archive_next_try timestamptz,
  archive_tries int not null default 0,
  -- The name under which the next version is being stored, so that what a crash leaves is found.
  archive_draft text,
  check ((terms is null) = (terms_sha256 is null)),
  check ((agreement_key is null) = (agreement_sha256 is null)),
  check (state not in ('authorised', 'signed', 'issued', 'finished') or agreement_key is not null),
  check (state not in ('signed', 'issued', 'finished', 'failed') or signed_key is not null)
);
create index renewals_by_owner on renewals (account_id, ends_at);
create index renewals_by_state on renewals (state, id);
-- One renewal for each code, and one at a time for each certificate (R31, R60).
create unique index renewals_by_code on renewals (code_id) where state <> 'expired';
create unique index renewals_by_signature on renewals (signature_id) where state not in ('expired', 'declined', 'failed');
create index renewals_archive_due on renewals (coalesce(archive_renew_by, '-infinity')) where signed_key is not null;
create index renewals_archive_stamped on renewals (archive_stamped_at) where signed_key is not null;
create index renewals_of_signature on renewals (signature_id);
create index renewals_of_code on renewals (code_id);
create index renewals_waiting_for_identity on renewals (updated_at, id)
  where identity_state = 'asked' and state in ('parameters', 'personal-data', 'signing');
create trigger renewal_moves before update on renewals for each row execute function refuse_renewal_move();
