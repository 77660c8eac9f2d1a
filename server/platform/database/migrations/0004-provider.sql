-- Client keys and webhooks of the provider, and messages to be sent.

create table provider_keys (
  id uuid primary key default gen_random_uuid(),
  key_hash bytea not null unique,
  name text not null,
  created_at timestamptz not null default portal_now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  -- What the key may do, by groups of objects, and how many calls a second (R80).
  scopes text[] not null default '{}',
  per_second int not null default 20 check (per_second > 0),
  -- Of the keys with one name, one is current, and commands mean that one: the others were replaced by a rotation, revoked, or have ended (R80).
  replaced_at timestamptz
);
create unique index provider_keys_by_name on provider_keys (name) where revoked_at is null and replaced_at is null;

create table webhooks (
  id uuid primary key default gen_random_uuid(),
  provider_id text not null unique,
  url text not null,
  -- Null: all of them.
  types text[],
  -- Events up to here are in the outbox, or were not wanted.
  position bigint not null,
  created_at timestamptz not null default portal_now()
);

create table webhook_secrets (
  id uuid primary key,
  webhook_id uuid not null references webhooks on delete cascade,
  secret bytea not null,
  created_at timestamptz not null default portal_now(),
  -- Of one that was replaced: until then both sign (R82).
  ends_at timestamptz
);
create index webhook_secrets_by_webhook on webhook_secrets (webhook_id);

-- Messages to be sent, written in the transaction of the act they tell of (R92).
create table outbox (
  id uuid primary key default gen_random_uuid(),
  channel text not null,
  -- Encrypted, because codes and links are in it (R3).
  message bytea not null,
  created_at timestamptz not null default portal_now(),
  -- A code that can no longer be used is dropped, not sent late.
  drop_at timestamptz,
  tries int not null default 0,
  next_try_at timestamptz not null default portal_now(),
  -- While a worker holds the message; another may take it once this has passed.
  leased_until timestamptz,
  sent_at timestamptz,
  -- dead: failed permanently, after the last attempt or by a final refusal; expired: dropped.
  outcome text check (outcome in ('sent', 'dead', 'expired')),
  failure text,
  -- What many customers are sent at once lets everything else go first: nobody's code waits behind it.
  bulk boolean not null default false,
  webhook_id uuid references webhooks on delete cascade,
  event bigint references events (position) on delete cascade,
  -- Messages of one lane to one webhook go one after another, in the order of their events.
  lane text,
  -- DSK-10: a keyed hash of the recipient of a mail or text message, once a try of it has failed; empty if the message cannot be read.
  recipient_index bytea,
  constraint outbox_webhook_check check ((webhook_id is null) = (event is null) and (webhook_id is null) = (lane is null))
);
create unique index outbox_by_event on outbox (event, webhook_id) where event is not null;
create index outbox_by_lane on outbox (webhook_id, lane, event) where outcome is null;
create index outbox_dead_of_webhook on outbox (webhook_id, event) where outcome = 'dead';
create index outbox_turn on outbox (bulk, next_try_at) where outcome is null and webhook_id is null;
-- Messages that failed permanently are counted at each reading of the metrics (OPS-6).
create index outbox_dead on outbox (channel) where outcome = 'dead';
-- Each channel has its own limit, so that a slow one delays no other.
create index outbox_turn_of_channel on outbox (channel, bulk, next_try_at) where outcome is null and webhook_id is null;
create index outbox_finished on outbox (created_at) where outcome in ('sent', 'expired');
create index outbox_of_webhook on outbox (webhook_id) where webhook_id is not null;
create index outbox_by_recipient on outbox (recipient_index) where recipient_index is not null;
