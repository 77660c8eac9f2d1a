-- SIG-5: when the reminders of a certificate are looked at next, so that a run need not read all that end within sixty days. Null before the
-- first look, which is sixty days before the end; 'infinity' after the last.
alter table signatures add column reminder_at timestamptz;
