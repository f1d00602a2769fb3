/**
 * The children that exist, by their parents, as the streams of their kinds tell: of each only what is needed to find
 * out that it is no longer as it was. {@code ChildIndex} is the one place where they are known; a {@code ChildTap}
 * reads a stream beside the handlers of the same kind.
 */
package dev.kopf4j.engine.children.live;
