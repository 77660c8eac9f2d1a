#!/bin/sh
# Runs once, in an empty database server: the statements of docs/guides/operate.md.
set -eu
# On lines of their own: a secret that the user postgres cannot read ends the script.
password=$(cat /run/secrets/sygnet-password)
owner_password=$(cat /run/secrets/sygnet-owner-password)
psql --set=ON_ERROR_STOP=1 --username=postgres --set=password="$password" --set=owner_password="$owner_password" <<'SQL'
create role sygnet_app nologin;
create role sygnet_owner login password :'owner_password' in role sygnet_app;
create role sygnet login password :'password' in role sygnet_app;
create database sygnet owner sygnet_owner template template0 encoding 'UTF8';
SQL
