-- What the provider follows the portal by (OPS-4): written in the transaction of the act, told by the feed and by webhooks.
create table events (
  id uuid primary key default gen_random_uuid(),
  -- The order of writing; who writes later may be committed first.
  ordinal bigint generated always as identity,
  -- The place in the feed, given one after another to what has been committed: nothing ever appears before what was read.
  position bigint unique,
  type text not null,
  -- The object it is about. Its events are written while its row is held, so they are in the order in which it changed.
  subject text not null,
  -- Ids and states alone: no personal data (R86).
  data jsonb not null,
  at timestamptz not null default portal_now()
);
create index events_without_place on events (ordinal) where position is null;

-- The last place that was given. Its only row is held by whoever gives the next ones.
create table event_feed (
  alone boolean primary key default true check (alone),
  last bigint not null default 0
);
insert into event_feed default values;

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

alter table outbox
  add column webhook_id uuid references webhooks on delete cascade,
  add column event bigint references events (position) on delete cascade,
  -- Messages of one lane to one webhook go one after another, in the order of their events.
  add column lane text,
  add constraint outbox_webhook_check check ((webhook_id is null) = (event is null) and (webhook_id is null) = (lane is null)),
  drop constraint outbox_channel_check,
  add constraint outbox_channel_check check
    (channel in ('mail', 'sms', 'password-link', 'registration', 'seal-invitation', 'agreement-signature', 'data-export', 'customer-invitation', 'webhook')) not valid;
create unique index outbox_by_event on outbox (event, webhook_id) where event is not null;
create index outbox_by_lane on outbox (webhook_id, lane, event) where outcome is null;
create index outbox_dead_of_webhook on outbox (webhook_id, event) where outcome = 'dead';
drop index outbox_turn;
create index outbox_turn on outbox (bulk, next_try_at) where outcome is null and webhook_id is null;
