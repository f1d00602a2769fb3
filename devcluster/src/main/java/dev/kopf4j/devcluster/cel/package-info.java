/** Common Expression Language: validation rules of schemas, match conditions of webhooks. Loaded on first use. */
package dev.kopf4j.devcluster.cel;
