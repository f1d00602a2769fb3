/** Common Expression Language: rules of schemas and conditions of webhooks. Loaded only when an expression is met. */
package dev.kopf4j.devcluster.cel;
