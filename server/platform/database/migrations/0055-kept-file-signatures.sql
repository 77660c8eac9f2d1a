-- What the service has signed is kept before it has its timestamps, of which each is kept as it comes (SGN-29): null where one is missing.
alter table file_signings
  drop constraint file_signings_check1,
  add check (num_nulls(signatures, timestamps) in (0, 2)),
  add check (signatures is null or confirmed_at is not null),
  add check (signed_at is null or (timestamps is not null and array_position(timestamps, null) is null));
