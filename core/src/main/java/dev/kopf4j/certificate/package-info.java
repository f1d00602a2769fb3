/**
 * Makes self-signed certificates for servers, and writes them and their keys as PEM. Pure, but for the randomness of
 * keys. Reading is the job of {@code client.tls}.
 */
@NullMarked
package dev.kopf4j.certificate;

import org.jspecify.annotations.NullMarked;
