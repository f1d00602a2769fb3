/** Reads collections page by page, and hands them over object by object: no page is ever in memory as a whole. */
package dev.kopf4j.client.list;
