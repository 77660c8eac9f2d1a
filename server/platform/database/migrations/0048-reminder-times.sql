-- outside a transaction: each statement can be repeated, and nobody waits for it

-- SIG-5: when the reminders of a certificate are looked at next; null after the last. Every certificate is looked at once after it is
-- stored or changed, so that a run need not read all that end within sixty days.
alter table signatures add column if not exists reminder_at timestamptz default '-infinity';

drop index concurrently if exists signatures_by_reminder;

create index concurrently signatures_by_reminder on signatures (reminder_at) where reminder_at is not null;
