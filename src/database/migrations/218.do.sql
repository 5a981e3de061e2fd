-- What the provider of single sign-on calls a person (its issuer and subject), once they came by it.
alter table users add column sso_subject text collate "C" unique;
