-- What a signing app scans, given by the provider or its signing service (APP-2, APP-3). A row without a secret of the
-- portal's has an empty one.
alter table pairings
  -- Encrypted; removed when it is shown, and after its expiry.
  add column content bytea,
  -- Keyed hashes of the newest content, and of the newest that was shown, which never is again.
  add column content_mac bytea,
  add column shown_mac bytea,
  add column content_expires_at timestamptz,
  -- The request that waits for content.
  add column request_id uuid,
  add column requested_at timestamptz,
  add column request_failure text check (request_failure in ('delayed', 'refused')),
  add column shown_at timestamptz,
  -- Names the portal's own secret in the calls by which the provider fetches and acknowledges it (APP-4).
  add column secret_id uuid not null default gen_random_uuid();

alter table seal_pairings
  add column content bytea,
  add column content_mac bytea,
  add column shown_mac bytea,
  add column content_expires_at timestamptz,
  add column request_id uuid,
  add column requested_at timestamptz,
  add column request_failure text check (request_failure in ('delayed', 'refused')),
  add column shown_at timestamptz,
  add column secret_id uuid not null default gen_random_uuid();

create index pairings_expiring on pairings (content_expires_at) where content is not null;
create index seal_pairings_expiring on seal_pairings (content_expires_at) where content is not null;

alter table outbox
  drop constraint outbox_channel_check,
  add constraint outbox_channel_check check (channel in ('mail', 'sms', 'password-link', 'registration', 'seal-invitation',
    'agreement-signature', 'data-export', 'customer-invitation', 'webhook', 'app-activation')) not valid;
