-- What the provider files is checked, found and listed (PRV-1 … PRV-6).

-- A keyed hash of issuer and serial number: one certificate is filed under one id. Rows of earlier versions get theirs from a job.
alter table signatures add column certificate_index bytea;
alter table seals add column certificate_index bytea;

-- Keyed hashes, by which the provider finds a customer.
alter table accounts add column phone_index bytea;
alter table personal_data add column identifier_index bytea;

-- PRV-1: a revocation is final, whoever states anything else. The table is certificateMoves of contract/signatures-and-seals.ts, and a test
-- compares them.
create function refuse_certificate_move() returns trigger language plpgsql as $$
begin
  if new.status = old.status or (old.status, new.status) in (
    ('good', 'suspended'), ('good', 'revoked'), ('suspended', 'good'), ('suspended', 'revoked')
  ) then
    return new;
  end if;
  raise exception 'a certificate cannot go from % to %', old.status, new.status using errcode = 'check_violation';
end $$;
create trigger signature_moves before update of status on signatures for each row execute function refuse_certificate_move();
create trigger seal_moves before update of status on seals for each row execute function refuse_certificate_move();

-- The previous version writes what a hash is of without the hash: then there is none, and the job computes it. Which version writes shows in
-- whether the statement names the hash: the first trigger of each table appends a byte to it then, and the second removes that byte, or a hash
-- without it.
create function keep_phone_index() returns trigger language plpgsql as $$
begin
  if tg_argv[0] = 'mark' then
    new.phone_index := new.phone_index || '\x00';
  elsif new.phone_index is not distinct from old.phone_index then
    new.phone_index := null;
  elsif new.phone_index is not null then
    new.phone_index := substr(new.phone_index, 1, length(new.phone_index) - 1);
  end if;
  return new;
end $$;
create trigger phone_index_1 before update of phone_index on accounts for each row execute function keep_phone_index('mark');
create trigger phone_index_2 before update of phone, phone_index on accounts for each row
  when (new.phone is distinct from old.phone or new.phone_index is distinct from old.phone_index) execute function keep_phone_index('settle');
create function keep_identifier_index() returns trigger language plpgsql as $$
begin
  if tg_argv[0] = 'mark' then
    new.identifier_index := new.identifier_index || '\x00';
  elsif new.identifier_index is not distinct from old.identifier_index then
    new.identifier_index := null;
  elsif new.identifier_index is not null then
    new.identifier_index := substr(new.identifier_index, 1, length(new.identifier_index) - 1);
  end if;
  return new;
end $$;
create trigger identifier_index_1 before update of identifier_index on personal_data for each row execute function keep_identifier_index('mark');
create trigger identifier_index_2 before update of sealed, identifier_index on personal_data for each row
  when (new.sealed is distinct from old.sealed or new.identifier_index is distinct from old.identifier_index) execute function keep_identifier_index('settle');
create function keep_certificate_index() returns trigger language plpgsql as $$
begin
  if tg_argv[0] = 'mark' then
    new.certificate_index := new.certificate_index || '\x00';
  elsif new.certificate_index is not distinct from old.certificate_index then
    new.certificate_index := null;
  elsif new.certificate_index is not null then
    new.certificate_index := substr(new.certificate_index, 1, length(new.certificate_index) - 1);
  end if;
  return new;
end $$;
create trigger certificate_index_1 before update of certificate_index on signatures for each row execute function keep_certificate_index('mark');
create trigger certificate_index_2 before update of certificates, certificate_index on signatures for each row
  when (new.certificates is distinct from old.certificates or new.certificate_index is distinct from old.certificate_index) execute function keep_certificate_index('settle');
create trigger certificate_index_1 before update of certificate_index on seals for each row execute function keep_certificate_index('mark');
create trigger certificate_index_2 before update of certificate, certificate_index on seals for each row
  when (new.certificate is distinct from old.certificate or new.certificate_index is distinct from old.certificate_index) execute function keep_certificate_index('settle');
