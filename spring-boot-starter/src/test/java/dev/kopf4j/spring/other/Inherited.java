package dev.kopf4j.spring.other;

import dev.kopf4j.OnCreate;

/** What beans inherit from a class of another package. */
public final class Inherited {
    private Inherited() {}

    /** A handler that proxies in other packages do not pass on. */
    public static class PackagePrivate {
        @OnCreate("configmaps")
        void greet() {}
    }

    /** That, opened to them. */
    public static class Opened extends PackagePrivate {
        @Override
        @OnCreate("configmaps")
        public void greet() {}
    }

    /** One that they pass on. */
    public static class Protected {
        @OnCreate("configmaps")
        protected void greet() {}
    }

    /** A filter that proxies in other packages do not pass on. */
    public static class Filtered {
        @OnCreate(value = "configmaps", when = "isPolite")
        protected void greet() {}

        boolean isPolite() {
            return true;
        }
    }
}
