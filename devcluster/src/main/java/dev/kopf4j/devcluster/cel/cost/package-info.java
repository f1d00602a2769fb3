/** What expressions cost at most, estimated from their text and from the greatest sizes of what they read. Pure. */
package dev.kopf4j.devcluster.cel.cost;
