-- outside a transaction: each statement can be repeated, and nobody waits for it

-- An index takes no expression whose value depends on the time zone, hence UTC.
drop index concurrently if exists signatures_by_reminder;

create index concurrently signatures_by_reminder on signatures
  (coalesce(reminder_at, (valid_to at time zone 'UTC' - interval '60 days') at time zone 'UTC'), id);
