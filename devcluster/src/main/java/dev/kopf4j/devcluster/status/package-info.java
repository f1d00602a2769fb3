/** How failures are told to clients: {@code Status} objects with reason, code and causes. */
package dev.kopf4j.devcluster.status;
