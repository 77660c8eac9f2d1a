-- outside a transaction: the statement can be repeated, and nobody waits for it

-- DSK-37: the desk lists the newest codes.
drop index concurrently if exists voucher_codes_by_time;

create index concurrently voucher_codes_by_time on voucher_codes (created_at desc, provider_id);
