@org.jspecify.annotations.NullMarked
package dev.kopf4j.engine.http;
