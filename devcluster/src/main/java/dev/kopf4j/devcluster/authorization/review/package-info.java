/**
 * Access reviews: kinds that are questions, about what somebody may do and who somebody is. They are answered and not
 * stored.
 */
package dev.kopf4j.devcluster.authorization.review;
