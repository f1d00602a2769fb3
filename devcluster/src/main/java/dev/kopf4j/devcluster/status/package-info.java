/** Failures as clients get them: {@code Status} objects with reason, code and causes. Pure. */
package dev.kopf4j.devcluster.status;
