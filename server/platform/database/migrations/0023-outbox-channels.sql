-- Each channel has places of its own, so that who hangs behind one holds up no other.
create index outbox_turn_of_channel on outbox (channel, bulk, next_try_at) where outcome is null and webhook_id is null;
