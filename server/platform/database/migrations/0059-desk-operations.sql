-- DSK-31: what each node says of itself every half minute. A node that has stopped is removed, one that has crashed after a day.
create table nodes (
  id uuid primary key,
  host text not null,
  version text not null,
  started_at timestamptz not null default portal_now(),
  seen_at timestamptz not null default portal_now(),
  -- The last run of each job: {"name", "at", "isOk"}.
  jobs jsonb not null,
  -- What the checks of `sygnet check` found when, and whether somebody waits for the next time: {"name", "status", "text"}.
  findings jsonb not null default '[]',
  checked_at timestamptz,
  check_wanted boolean not null default false
);
create index nodes_by_seen on nodes (seen_at);

-- R252: when this person has last entered a password or another factor at the OpenID provider (`auth_time`), if it says so.
alter table staff_sessions add column authenticated_at timestamptz;
