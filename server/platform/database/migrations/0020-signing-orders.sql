-- The message that lets the agreement be signed, once it was signed by code: when that was given up, the customer is asked anew.
alter table renewals add column signing_order uuid;
