package plot_test

// faultsOfAct1 is what is wrong with the plot file of TestLoadFaults.
const faultsOfAct1 = `
a.yaml:3:5 unknown_key titel|title|node
a.yaml:4:17 unknown_name persona|quin|qin
a.yaml:4:29 unknown_name persona|qn|qin
a.yaml:4:39 unknown_name variable|herb|herbs
a.yaml:5:12 unknown_word nodes[1].turns|everyone|addressed, all|
a.yaml:6:11 tag !x
a.yaml:8:9 unknown_name variable|days|day
a.yaml:9:23 enum_value weather|fog||clear, rain, snow
a.yaml:10:22 expr_operator =|==
a.yaml:11:9 missing_key do|effect
a.yaml:12:17 unknown_name persona|ada|adu
a.yaml:12:28 unknown_name event|landing.gone|landing.gives
a.yaml:14:23 line_at enters
a.yaml:14:37 unknown_name placeholder|plyer|player
a.yaml:14:68 unknown_name persona|qim|qin
a.yaml:14:80 unknown_name cue|sign|sigh
a.yaml:15:23 unknown_name exit|landing.to_shp|landing.to_shop
a.yaml:16:16 duplicate_id line|narration.landing.b|a.yaml:15
a.yaml:16:23 unknown_name beat|landing.gift|landing.gives
a.yaml:17:9 missing_key text|line
a.yaml:19:14 duplicate_id line|narration.landing.b|a.yaml:15
a.yaml:19:21 bad_id nodes[1].anchors[1].by|
a.yaml:20:41 missing_key line|anchor
a.yaml:20:41 out_of_range nodes[1].anchors[2].after|0|1|1000
a.yaml:20:52 detect_empty
a.yaml:21:41 missing_key line|anchor
a.yaml:23:32 unknown_name speaker|playr|player
a.yaml:23:47 detect_empty
a.yaml:23:70 effect_syntax herbs =+ 1
a.yaml:24:16 duplicate_id beat|gives|a.yaml:23
a.yaml:24:44 unknown_name persona|nobody|
a.yaml:26:29 unknown_name node|shp|shop
a.yaml:27:16 duplicate_id exit|to_shop|a.yaml:26
a.yaml:28:9 exit_target neither|to?
a.yaml:29:38 exit_target both|to+stay
a.yaml:30:9 missing_key exit|exit
a.yaml:31:53 otherwise_when o1
a.yaml:32:41 otherwise_twice landing|o1
a.yaml:32:61 unknown_name persona|cui|
a.yaml:33:11 duplicate_id node|landing|a.yaml:2
a.yaml:34:12 bad_id nodes[3].node|Shop
a.yaml:36:10 duplicate_id node|landing|a.yaml:2
a.yaml:37:13 wrong_type nodes[4].ending|true or false|text|maybe
a.yaml:38:5 missing_key node|node
a.yaml:40:12 extend_key title
a.yaml:41:13 unknown_name node|landin|landing
b.yaml:1:1 missing_key nodes|plot
b.yaml:1:8 misplaced_key lines|plot|node
`
