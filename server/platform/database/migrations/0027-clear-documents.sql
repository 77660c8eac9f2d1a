-- Of an issued document: length and SHA-256 of what decrypting it gives, so that what goes on from that is recognised
-- without opening the document. Null for uploads, and for documents that were filed before this version.
alter table document_files
  add column clear_bytes int,
  add column clear_sha256 text;
