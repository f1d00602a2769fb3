/**
 * Common Expression Language (CEL): validation rules of schemas, match conditions of webhooks. The JVM loads it on
 * first use.
 */
package dev.kopf4j.devcluster.cel;
