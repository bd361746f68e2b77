-- live: yes, adds a column of credential_mails that may be empty
ALTER TABLE "credential_mails" ADD COLUMN "told" text;