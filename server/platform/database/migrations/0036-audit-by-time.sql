-- outside a transaction: each statement can be repeated, and nobody waits for it

-- Entries of a day are found by the pages that they are on: the table only grows, so a few bytes per page range suffice.
drop index concurrently if exists audit_by_time;

create index concurrently audit_by_time on audit using brin (at) with (pages_per_range = 32, autosummarize = on);

alter table audit validate constraint audit_end;
