/**
 * Where credentials come from: service accounts, kubeconfigs, and the commands that kubeconfigs name.
 *
 * <p>Nothing is sent to an API server here, and nothing is kept: each call reads files and runs commands anew.
 */
package dev.kopf4j.client.login;
