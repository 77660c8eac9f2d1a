-- outside a transaction: each statement can be repeated, and nobody waits for it

-- What is removed by its age is found by an index (OPS-7): without one, each node read the whole table every ten minutes.
drop index concurrently if exists outbox_finished;

create index concurrently outbox_finished on outbox (created_at) where outcome in ('sent', 'expired');

drop index concurrently if exists links_by_expiry;

create index concurrently links_by_expiry on links (expires_at);

drop index concurrently if exists service_authorisations_by_expiry;

create index concurrently service_authorisations_by_expiry on service_authorisations (expires_at);
