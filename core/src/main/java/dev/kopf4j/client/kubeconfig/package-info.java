/**
 * Reads kubeconfig files as kubectl does, and runs the commands (exec plugins) that they name for credentials. Keeps
 * nothing: each call reads the files and runs the commands again. {@code client.login} calls it.
 */
@NullMarked
package dev.kopf4j.client.kubeconfig;

import org.jspecify.annotations.NullMarked;
