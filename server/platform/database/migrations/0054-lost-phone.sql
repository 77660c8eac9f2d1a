-- STP-7: a link by which a customer who has lost the phone suspends their own signatures.
alter table links
  drop constraint links_purpose_check,
  add constraint links_purpose_check check (purpose in ('set-up', 'reset', 'lost-phone')) not valid;
alter table outbox
  drop constraint outbox_channel_check,
  add constraint outbox_channel_check check (channel in ('mail', 'sms', 'password-link', 'registration', 'seal-invitation',
    'agreement-signature', 'data-export', 'customer-invitation', 'webhook', 'app-activation', 'certificate-status', 'lost-phone')) not valid;
alter table status_requests
  drop constraint status_requests_reason_check,
  add constraint status_requests_reason_check check (reason in ('compromised', 'data-changed', 'superseded', 'not-needed', 'phone-lost')) not valid;
