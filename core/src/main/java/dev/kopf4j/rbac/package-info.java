/** The rights that handlers need beside those of the framework. */
@NullMarked
package dev.kopf4j.rbac;

import org.jspecify.annotations.NullMarked;
