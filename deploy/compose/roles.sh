#!/bin/sh
# Runs once, in an empty database server: the statements of docs/guides/operate.md.
set -eu
# A secret that the user postgres cannot read ends the script.
test -r /run/secrets/sygnet-password
test -r /run/secrets/sygnet-owner-password
# psql reads them itself: arguments are in the list of processes.
psql --set=ON_ERROR_STOP=1 --username=postgres <<'SQL'
\set password `cat /run/secrets/sygnet-password`
\set owner_password `cat /run/secrets/sygnet-owner-password`
create role sygnet_app nologin;
create role sygnet_owner login password :'owner_password' in role sygnet_app;
create role sygnet login password :'password' in role sygnet_app;
create database sygnet owner sygnet_owner template template0 encoding 'UTF8';
SQL
