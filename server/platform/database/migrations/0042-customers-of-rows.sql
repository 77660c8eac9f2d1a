-- outside a transaction: each statement can be repeated, and nobody waits for it

-- The provider's lists name the customer of each row. An index that holds the name spares them a read of the account (decision 0110).
drop index concurrently if exists accounts_with_customer;

create index concurrently accounts_with_customer on accounts (id) include (provider_id);
