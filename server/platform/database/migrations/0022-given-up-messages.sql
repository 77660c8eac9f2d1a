-- What was given up is counted at each reading of the figures (OPS-6).
create index outbox_dead on outbox (channel) where outcome = 'dead';
