/**
 * Access reviews: kinds whose objects ask what a user may do, or who a user is. The server answers them and does not
 * store them.
 */
package dev.kopf4j.devcluster.authorization.review;
