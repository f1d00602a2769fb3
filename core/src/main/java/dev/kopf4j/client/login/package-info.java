/**
 * Credentials: where they come from, and which ones are in use. Nothing is sent to an API server here.
 *
 * <p>{@link dev.kopf4j.client.login.BuiltInLogins} reads service accounts, and kubeconfigs with
 * {@code client.kubeconfig}. It keeps nothing: each call reads the files again.
 *
 * <p>{@link dev.kopf4j.client.login.CredentialVault} holds the credentials in use, with the transports made of them. It
 * logs in again when the server rejects them; if many requests find that out at once, there is one login.
 * {@code client.request} asks it for the connection before each attempt.
 */
@NullMarked
package dev.kopf4j.client.login;

import org.jspecify.annotations.NullMarked;
